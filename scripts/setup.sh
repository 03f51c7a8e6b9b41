#!/bin/sh
# Says which programs are missing before anything needs them, then leaves the work to setup.mjs.
set -eu
cd "$(dirname "$0")/.."

missing=
for program in cargo node npm git; do
	command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
if [ -n "$missing" ]; then
	echo "missing on this machine:$missing" >&2
	echo "Till is built with cargo (https://rustup.rs, 1.91 or newer), node (20.3 or newer), npm and git; install them and call make again" >&2
	exit 1
fi

exec node scripts/setup.mjs "$@"
