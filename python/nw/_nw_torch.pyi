from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

_Array = np.ndarray
_Progress = Optional[Callable[[str, float], Any]]

class Classifier:
    def predict(self, rows: _Array, device: str) -> Tuple[_Array, _Array]: ...

class Clusters:
    def assign(self, rows: _Array, threads: int, device: str) -> Tuple[_Array, _Array]: ...

class Generator:
    def sample(self, count: int, seed: int) -> Tuple[_Array, _Array]: ...

def adapt(x: _Array, labels: _Array, target: _Array, options: Dict[str, Any],
          progress: _Progress) -> Dict[str, Any]: ...
def cluster(x: _Array, options: Dict[str, Any], progress: _Progress) -> Dict[str, Any]: ...
def generate(x: _Array, options: Dict[str, Any], progress: _Progress) -> Dict[str, Any]: ...
