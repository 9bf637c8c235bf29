#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# all.sh BUILD_DIR JOBS: every static check; runs them all, fails if one failed.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 2
build=$1 jobs=$2
failed=()

step() {
  local name=$1
  shift
  local begin=$SECONDS
  if "$@"; then
    echo "lint: $name ok ($((SECONDS - begin)) s)"
  else
    echo "lint: $name FAILED" >&2
    failed+=("$name")
  fi
}

format() {
  git ls-files -z -- '*.c' '*.h' '*.cpp' '*.hpp' |
    xargs -0 -r clang-format --dry-run -Werror
}

shell_scripts() {
  git ls-files -z -- dev .ci/run '*.sh' | xargs -0 -r shellcheck
}

step format format
step boundaries cmake/lint/boundaries.sh
step shellcheck shell_scripts
step clang-tidy python3 cmake/lint/tidy.py "$build" "$jobs"
if ((${#failed[@]})); then
  echo "lint: failed: ${failed[*]}" >&2
  exit 1
fi
