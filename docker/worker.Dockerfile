# The worker: claims runs, builds jails, and holds the labs' interpreter that runs inside them.
# Build from the repository's root: docker build -f docker/worker.Dockerfile -t ridgepoint-worker .
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS packages
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/ridgepoint
# pip's own settings, for a mirror or for the CPU build of torch: docs/operations.md.
ARG PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_CONSTRAINT
COPY requirements/lab.txt requirements/
RUN python3 -m venv .labenv && .labenv/bin/pip install --quiet --no-cache-dir --requirement requirements/lab.txt
COPY requirements/server.txt requirements/
RUN python3 -m venv .venv && .venv/bin/pip install --quiet --no-cache-dir --requirement requirements/server.txt

FROM ${BASE}
# g++: torch.compile builds kernels with it, inside the jails.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 libseccomp2 g++ \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /nonexistent ridgepoint \
    && install -d -o ridgepoint -g ridgepoint -m 0750 /var/lib/ridgepoint
WORKDIR /srv/ridgepoint
ENV PATH=/srv/ridgepoint/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=server.settings.prod \
    RIDGEPOINT_DATA_DIR=/var/lib/ridgepoint \
    RIDGEPOINT_LAB_PYTHON=/srv/ridgepoint/.labenv/bin/python
COPY --from=packages /srv/ridgepoint/.labenv .labenv
COPY --from=packages /srv/ridgepoint/.venv .venv
COPY manage.py ./
COPY server server
COPY graders graders
COPY workers workers
COPY courses courses
RUN python -m compileall -q server graders workers
USER ridgepoint
CMD ["celery", "--quiet", "--app", "workers.app", "worker", "--loglevel", "INFO", "--concurrency", "1", \
     "--without-gossip", "--without-mingle"]
