from hypothesis import settings

# No deadline, because machines are noisy; derandomized, so that a failure is everyone's failure.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
