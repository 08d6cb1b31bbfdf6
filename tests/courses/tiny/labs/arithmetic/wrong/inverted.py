# question: q1
# mistake: divides the bytes by the operations
def intensity(operations, traffic):
    return traffic / operations
