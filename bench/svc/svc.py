"""Times SVC, one label against the rest: a training of all labels for each line on standard input, in processor seconds.

svc.py FOLDER LABELS C GAMMA: the folder has files of 64-bit floats, x and test with a row after the other, and y with a 0 or 1 for each
label of each row of x. An answer has four times: of SVC(kernel="rbf") and of SVC(kernel="precomputed") with the kernel's values made once for
all labels, each for training and for the scores of all test rows. The scores are left in the file scores. The first line of output has
scikit-learn's version.
"""

import os
import sys
import time

import numpy as np
import sklearn
from sklearn.svm import SVC


def gaussian(a: np.ndarray, b: np.ndarray, gamma: float) -> np.ndarray:
    squares = (a * a).sum(1)[:, None] + (b * b).sum(1) - 2 * a @ b.T
    return np.exp(-gamma * np.maximum(squares, 0))


def timed(work):
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


def main() -> None:
    folder, labels, c, gamma = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    y = np.fromfile(os.path.join(folder, "y")).reshape(-1, labels)
    x = np.fromfile(os.path.join(folder, "x")).reshape(len(y), -1)
    test = np.fromfile(os.path.join(folder, "test")).reshape(-1, x.shape[1])
    print(sklearn.__version__, flush=True)
    for _ in sys.stdin:
        models, fit = timed(lambda: [SVC(C=c, kernel="rbf", gamma=gamma).fit(x, of) for of in y.T])
        scores, predict = timed(lambda: np.column_stack([m.decision_function(test) for m in models]))

        def shared():
            k = gaussian(x, x, gamma)
            return [SVC(C=c, kernel="precomputed").fit(k, of) for of in y.T]

        models, shared_fit = timed(shared)

        def shared_scores():
            k = gaussian(test, x, gamma)
            return np.column_stack([m.decision_function(k) for m in models])

        again, shared_predict = timed(shared_scores)
        if np.abs(again - scores).max() > 1e-6:
            sys.exit("the kernel's values made once give other scores")
        np.ascontiguousarray(scores).tofile(os.path.join(folder, "scores"))
        print(fit, predict, shared_fit, shared_predict, flush=True)


if __name__ == "__main__":
    main()
