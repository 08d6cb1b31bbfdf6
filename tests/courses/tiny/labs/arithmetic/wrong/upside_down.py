# question: q4
# mistake: takes bytes per operation for the ridge point, so every kernel looks compute-bound
ridge = BANDWIDTH / PEAK
bound_by = "compute"
