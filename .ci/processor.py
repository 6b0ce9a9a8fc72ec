"""What NumPy and OpenBLAS use of the processor.

python .ci/processor.py names   names of AVX-512, for NPY_DISABLE_CPU_FEATURES
python .ci/processor.py check   fail if AVX-512 is in use
"""

import sys

import numpy as np
import scipy.linalg  # noqa: F401 (loads the OpenBLAS of SciPy)
from threadpoolctl import threadpool_info

if np.lib.NumpyVersion(np.__version__) < "2.0.0":
    from numpy.core import _multiarray_umath as compiled
else:
    from numpy._core import _multiarray_umath as compiled


def avx512(features):
    """Return the features that need AVX-512, which NumPy 2.4 calls X86_V4 or AVX512_ICL."""
    return [name for name in features if name.startswith(("AVX512", "X86_V4"))]


def in_use():
    """Return the parts of NumPy and OpenBLAS that are not those of a processor without AVX-512."""
    dispatched = [name for name in compiled.__cpu_dispatch__ if compiled.__cpu_features__[name]]
    in_numpy = [f"NumPy {name}" for name in avx512([*compiled.__cpu_baseline__, *dispatched])]
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    names = [f"{library['internal_api']} {library.get('architecture')}" for library in libraries]
    return in_numpy + [name for name in names if name != "openblas Haswell"]


if sys.argv[1] == "names":
    print(*avx512(compiled.__cpu_dispatch__))
else:
    np.show_runtime()
    if in_use():
        sys.exit(f"AVX-512, or a BLAS of which this is not known, is in use: {', '.join(in_use())}")
