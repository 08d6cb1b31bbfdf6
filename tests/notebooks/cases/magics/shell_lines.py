"""ls, wget, git clone, head: some work, some need a network, none ends the notebook.

seen: ucbds-infra/otter-grader#604
shows: measurements.csv
"""

# %% before q2-answer
!ls
!wget -q https://example.org/data.csv
!git clone https://example.org/data.git
files = !ls *.csv
assert files == ["measurements.csv"]
!head -1 {files[0]}
!echo $PEAK
!nvidia-smi
!sudo apt-get install -y graphviz
