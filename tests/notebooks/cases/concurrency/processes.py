"""A pool of processes, and a process by hand.

seen: ipython/ipython#10894, jupyter/notebook#2080, jupyter/notebook#5261
"""

# %% q3-answer
from multiprocessing import Pool, Process
def times(pair):
    return pair[0] * pair[1]
def scale(values, factor):
    with Pool(2) as pool:
        return pool.map(times, [(value, factor) for value in values])
if __name__ == "__main__":
    other = Process(target=print, args=("other",))
    other.start()
    other.join()
    print(scale([1.0], 2))
