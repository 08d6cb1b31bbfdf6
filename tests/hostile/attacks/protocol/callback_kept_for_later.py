"""Calls a test's own function when the test is over, in the place of a cell's result.

naive: a call with arguments of the student's, at a time of the student's, in the grader.
lab: functions
uses: forge
failed: ConnectionDisturbed
"""
# %% after
send(frame(f'["d","id",{us._asking},"callback",1,"args",["t",1000000000000],"kwargs",["d"]]'))
