"""Examples in docstrings run, every public name is documented, and signatures show the library's defaults."""
import doctest
import inspect
import pathlib

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


def test_types_are_declared():
    folder = pathlib.Path(nw.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_nw.pyi").read_text()
    for name in dir(nw._nw):
        if not name.startswith("_"):
            assert f"def {name}(" in stub or f"class {name}:" in stub, name
