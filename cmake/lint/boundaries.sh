#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the compiler does not check: licence lines, and that includes point one way:
# isa <- judge, models <- platform; platform/hw is tables that anything may read.
set -uo pipefail
root=${1:-$(dirname "$(readlink -f "$0")")/../..}
cd "$root" || exit 2
status=0

complain() {
  echo "$1" >&2
  status=1
}

# sources PART...: the C and C++ files of these directories, in the working tree.
sources() {
  local part
  for part in "$@"; do
    [[ -d $part ]] && find "$part" -type f \( -name '*.[chS]' -o -name '*.cpp' -o -name '*.hpp' \)
  done | sort
}

# forbid REASON PATTERN FILE...: no line of these files may match.
forbid() {
  local reason=$1 pattern=$2 hit
  shift 2
  (($#)) || return 0
  while IFS= read -r hit; do complain "$hit: $reason"; done < <(grep -HnE "$pattern" "$@")
}

spdx() {
  local file
  while IFS= read -r file; do
    case $file in
    LICENSE | *.json | *.bin | *.elf | *.b64 | test/data/* | test/fuzz/seeds/*) continue ;; # hold no comment
    esac
    [[ -f $file ]] || continue
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
      complain "$file: no line 'SPDX-License-Identifier: Apache-2.0' among its first five"
  done < <(git ls-files)
}

# arrows PART ALLOWED_REGEX: quoted includes of PART name only what it may depend on.
arrows() {
  local part=$1 allowed=$2 hit
  while IFS= read -r hit; do
    complain "$hit: $part/ may include only $allowed"
  done < <(sources "$part" | xargs -r grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' |
    grep -vE "#[[:space:]]*include[[:space:]]+\"($allowed)/" |
    grep -vE '#[[:space:]]*include[[:space:]]+"[^/"]+"')
}

spdx
systemc='#[[:space:]]*include[[:space:]]*[<"](systemc|tlm|sysc/)'
mapfile -t plain < <(sources isa judge models/core platform/hw)
forbid 'SystemC stays out of isa/, judge/, models/core/ and platform/hw/' "$systemc" "${plain[@]}"
mapfile -t not_the_reader < <(sources isa judge models platform firmware test | grep -vx judge/json.c)
forbid 'only judge/json.c calls the JSON parser' 'cJSON_Parse' "${not_the_reader[@]}"
arrows isa 'isa'
arrows judge 'isa|judge|platform/hw'
arrows models 'isa|models|platform/hw'
arrows firmware 'isa|firmware|platform/hw'
arrows platform 'isa|judge|models|platform|firmware'
arrows platform/hw 'platform/hw'
exit "$status"
