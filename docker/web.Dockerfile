# The web server, and with another command the clock of the periodic tasks and the migrations. No torch, no jails.
# Build from the repository's root: docker build -f docker/web.Dockerfile -t ridgepoint-web .
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS packages
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/ridgepoint
# pip's own settings, for a mirror or a private index: docker build --build-arg PIP_INDEX_URL=...
ARG PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_CONSTRAINT
COPY requirements/server.txt requirements/
RUN python3 -m venv .venv && .venv/bin/pip install --quiet --no-cache-dir --requirement requirements/server.txt

FROM ${BASE}
# libseccomp2: the management commands that build jails are in this image too, and say what they lack.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 libseccomp2 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /nonexistent ridgepoint \
    && install -d -o ridgepoint -g ridgepoint -m 0750 /var/lib/ridgepoint
WORKDIR /srv/ridgepoint
ENV PATH=/srv/ridgepoint/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=server.settings.prod \
    RIDGEPOINT_DATA_DIR=/var/lib/ridgepoint \
    RIDGEPOINT_STATIC_ROOT=/srv/ridgepoint/static
COPY --from=packages /srv/ridgepoint/.venv .venv
COPY manage.py ./
COPY server server
COPY graders graders
COPY workers workers
# The values are not used to collect files; production settings only insist on having them.
RUN RIDGEPOINT_SECRET_KEY=nothing-is-signed-while-files-are-collected RIDGEPOINT_ALLOWED_HOSTS=localhost \
    DATABASE_URL=sqlite:////tmp/none RIDGEPOINT_BROKER_URL=redis://localhost \
    python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q server graders workers
USER ridgepoint
EXPOSE 8000
# /dev/shm: gunicorn's heartbeat must not wait for a disk.
CMD ["gunicorn", "server.wsgi:application", "--bind", "0.0.0.0:8000", "--workers", "2", "--worker-class", "gthread", \
     "--threads", "8", "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--access-logfile", "-"]
