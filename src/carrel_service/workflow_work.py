"""Works through queued workflow runs in the background, step by step, and takes up what a restart cut off."""

import logging
import uuid

from .context import Service
from .workflow_definitions import Definition, every_version
from .workflow_runs import Run, Runs
from .workflow_steps import STEPS, StepFailed, Work

log = logging.getLogger(__name__)


def start(service: Service, run: Run) -> None:
    """Give the run to the background; it waits there until one of two places is free."""
    service.background.submit(f"workflow run {run.run_id}", lambda: _in_turn(service, run))


def take_up(service: Service) -> None:
    """Go on with every run that had not ended when the service did."""
    for run in Runs(service.db).unfinished():
        start(service, run)


async def _in_turn(service: Service, run: Run) -> None:
    async with service.run_places:
        await _work(service, run)


async def _work(service: Service, run: Run) -> None:
    runs = Runs(service.db)
    definition = _definition(service, run)
    if definition is None:
        runs.fail(run.run_id, "The version of the workflow that was queued is gone.")
        return
    values = dict(run.values)
    try:
        for step in definition.steps:
            if step.id not in values:
                runs.begin(run.run_id, step.id)
                values[step.id] = await STEPS[step.kind](Work(service, run, step, values))
                runs.step_done(run.run_id, values)
    except StepFailed as error:
        runs.fail(run.run_id, str(error))
    except Exception:  # a seam: a run's error belongs to the run, and the next one must go on
        error_id = uuid.uuid4().hex
        log.exception("Workflow run %s failed, error %s", run.run_id, error_id)
        runs.fail(run.run_id, f"The step could not be done; the log holds the cause under {error_id}.")
    else:
        written = [given["file_id"] for given in values.values() if "file_id" in given]
        runs.complete(run.run_id, written[-1] if written else None)


def _definition(service: Service, run: Run) -> Definition | None:
    """The version that the run was queued with, published or not by now."""
    versions = every_version(service.settings.data)
    return next((found for found in versions if found.workflow_id == run.workflow_id), None)
