# question: q2
# mistake: forgets that computing is bounded too
def attainable(peak, bandwidth, intensity):
    return bandwidth * intensity
