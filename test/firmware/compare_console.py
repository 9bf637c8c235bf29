#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""compare_console.py TPUVP IMAGE REFERENCE: runs an image on the platform and a host program;
their output must be equal, and both must succeed."""
import json
import subprocess
import sys


def main():
    tpuvp, image, reference = sys.argv[1:4]
    platform = subprocess.run([tpuvp, "run", image, "--json"], capture_output=True, text=True)
    host = subprocess.run([reference], capture_output=True, text=True, check=True)
    if platform.returncode != 0:
        sys.exit(f"{image}: exit code {platform.returncode}: {platform.stderr.strip()}")
    got = json.loads(platform.stdout)["core"]["console"].splitlines()
    want = host.stdout.splitlines()
    if not want:
        sys.exit(f"{reference}: printed nothing")
    for number, (a, b) in enumerate(zip(got, want), start=1):
        if a != b:
            sys.exit(f"line {number}:\n  platform: {a}\n  host:     {b}")
    if len(got) != len(want):
        sys.exit(f"{len(got)} lines on the platform, {len(want)} on the host")


main()
