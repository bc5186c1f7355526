"""Times X @ W > 0 by numpy: once for each line on standard input, in processor seconds a row of X.

product.py X W LABELS: files of 64-bit floats, X row after row and W label after label. The first
line of output has numpy's version and BLAS, and how many products are above zero.
"""

import sys
import time

import numpy as np


def main() -> None:
    labels = int(sys.argv[3])
    w = np.fromfile(sys.argv[2]).reshape(labels, -1)
    x = np.fromfile(sys.argv[1]).reshape(-1, w.shape[1])
    w = np.ascontiguousarray(w.T)
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    print(np.__version__, blas["name"], blas["version"], np.count_nonzero(x @ w > 0), flush=True)
    repeats = max(1, int(2e7 / x.size))
    for _ in sys.stdin:
        begin = time.process_time()
        for _ in range(repeats):
            x @ w > 0
        print((time.process_time() - begin) / (repeats * len(x)), flush=True)


if __name__ == "__main__":
    main()
