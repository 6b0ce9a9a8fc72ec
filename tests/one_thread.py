"""Limit BLAS and OpenMP to one thread, before NumPy is imported.

The processes of pytest-xdist use all cores. More threads in each would wait for each other, which
takes a quarter more processor time.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
