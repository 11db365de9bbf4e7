"""Decides calls with agent-os-kernel, to be measured beside toolgate.

    agent_os_decide.py FOLDER

FOLDER holds `calls.json`, a list of contexts, and policies as `NAME.json`, each a `PolicyDocument`.
Everything is the package's own in-process interface: documents are loaded with
`PolicyDocument.from_json` and held by a `PolicyEvaluator`, calls go through `evaluate`.

Prints `ready`, or `missing` when the package is not installed, then answers lines on standard input:

    verdicts NAME              one line with the action for each call
    round NAME CALL TIMES      nanoseconds of each of so many decisions about one call, in one line
    screened NAME CALL TIMES   the same, with the package's own detectors over the texts of the call
"""

import gc
import json
import sys
import time
import warnings
from pathlib import Path

try:
    from agent_os.credential_redactor import CredentialRedactor
    from agent_os.policies.evaluator import PolicyEvaluator
    from agent_os.policies.schema import PolicyDocument
    from agent_os.prompt_injection import PromptInjectionDetector
except ImportError:
    PolicyEvaluator = None


def screened(evaluator, detector):
    """A decision after a look at every text: is it an injection, does it hold a credential?"""

    def evaluate(context):
        for text in context.values():
            if detector.detect(text).is_injection or CredentialRedactor.contains_credentials(text):
                return None
        return evaluator.evaluate(context)

    return evaluate


def measure(decide, context, times):
    clock = time.perf_counter_ns
    taken = []
    # As `timeit` does: collecting garbage is not what is measured.
    gc.disable()
    for _ in range(times):
        start = clock()
        decide(context)
        taken.append(clock() - start)
    gc.enable()
    return taken


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if PolicyEvaluator is None:
        print("missing", flush=True)
        return
    folder = Path(sys.argv[1])
    calls = json.loads((folder / "calls.json").read_text(encoding="utf-8"))
    with warnings.catch_warnings():
        # It warns that its built-in patterns are samples.
        warnings.simplefilter("ignore")
        detector = PromptInjectionDetector()
    evaluators = {}
    print("ready", flush=True)
    for line in sys.stdin:
        order, name, *rest = line.split()
        if name not in evaluators:
            evaluators[name] = PolicyEvaluator([PolicyDocument.from_json(folder / f"{name}.json")])
        evaluator = evaluators[name]
        if order == "verdicts":
            print(*(evaluator.evaluate(call).action for call in calls), flush=True)
            continue
        call, times = (int(number) for number in rest)
        decide = evaluator.evaluate if order == "round" else screened(evaluator, detector)
        print(*measure(decide, calls[call], times), flush=True)


if __name__ == "__main__":
    main()
