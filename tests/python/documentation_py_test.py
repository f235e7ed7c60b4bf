"""Examples in docstrings run, every public name is documented, and signatures show the library's defaults."""
import doctest
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import nw


def test_examples_in_docstrings_run():
    attempted = 0
    from nw import _choose_k, _compare, _estimator, _measure, _transport

    for module in (nw, _transport, _compare, _choose_k, _measure, _estimator):
        outcome = doctest.testmod(module)
        assert outcome.failed == 0, module
        attempted += outcome.attempted
    assert attempted > 30


def test_every_public_name_is_there_and_documented():
    for name in nw.__all__:
        found = getattr(nw, name)
        assert name == "__version__" or inspect.getdoc(found), name
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        nw.absent


def test_defaults_are_those_of_the_library():
    defaults = {**nw._nw.compare_defaults()}
    for name, parameter in inspect.signature(nw.compare).parameters.items():
        if name in defaults and name != "k":
            assert parameter.default == defaults[name], name


def test_defaults_of_what_learns_are_those_of_the_library():
    pytest.importorskip("sklearn")
    learners = {nw.MixtureGAN: nw._nw.generation_defaults(), nw.Adapter: nw._nw.adaptation_defaults(),
                nw.MixtureClustering: nw._nw.clustering_defaults(), nw.Denoiser: nw._nw.denoising_defaults()}
    for learner, defaults in learners.items():
        shared = [name for name in inspect.signature(learner).parameters if name in defaults]
        assert {"method", "recipe", "steps", "device"} <= set(shared), learner
        for name in shared:
            assert inspect.signature(learner).parameters[name].default == defaults[name], (learner, name)


def test_methods_in_docstrings_are_those_that_the_library_knows():
    pytest.importorskip("sklearn")
    for learner, missing in ((nw.MixtureGAN, ()), (nw.Adapter, ()), (nw.MixtureClustering, ()),
                             (nw.Denoiser, ("oracle",))):  # the oracle needs rows that fit has none of
        documented = re.search(r"method : \{([^}]*)\}", inspect.getdoc(learner))[1]
        names = set(re.findall(r'"([\w-]+)"', documented))
        assert names | set(missing) == set(nw._nw.method_names()[learner.__name__]), learner


def test_importing_nw_and_looking_at_what_learns_loads_no_torch():
    pytest.importorskip("sklearn")
    code = ("import nw, sys; nw.MixtureGAN(2), nw.Adapter(), nw.MixtureClustering(2), nw.Denoiser(); "
            "assert 'torch' not in sys.modules; assert 'libtorch' not in open('/proc/self/maps').read()")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_types_are_declared():
    folder = pathlib.Path(nw.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_nw.pyi").read_text()
    for name in dir(nw._nw):
        if not name.startswith("_"):
            assert f"def {name}(" in stub or f"class {name}:" in stub, name
