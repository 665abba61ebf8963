"""Uses what openapi-python-client makes of the API description: python_client.py SERVICE AGENT."""

import json
import sys
import time

from osce_client import Client
from osce_client.api.agents import create_agent, get_agent
from osce_client.api.scenario_runs import list_scenario_runs
from osce_client.api.scenarios import create_scenario
from osce_client.api.test_runs import get_test_run, start_run
from osce_client.models import CreateAgent, CreateScenario, Error, StartRun

service, agent_url = sys.argv[1:]
client = Client(base_url=service)

agent = create_agent.sync(
    client=client,
    body=CreateAgent.from_dict(
        {"name": "Agent", "provider": "openai", "config": {"base_url": agent_url, "api_key": "sk-test"}}
    ),
)
scenario = create_scenario.sync(
    client=client,
    body=CreateScenario.from_dict(
        {
            "name": "Chest pain",
            "content": {"script": "It hurts.", "chief_complaint": "My chest hurts."},
            "rubric_criteria": [{"criterion": "Tells the patient to call an ambulance", "points": 5}],
        }
    ),
)
started = start_run.sync(
    client=client,
    body=StartRun(agent_id=str(agent.id), scenario_ids=[str(scenario.scenario_id)], max_turns=5),
)
status = started.status
while status == "running":
    time.sleep(0.05)
    status = get_test_run.sync(str(started.id), client=client).status
[result] = list_scenario_runs.sync(client=client, test_run_id=str(started.id), limit=5).results
missing = get_agent.sync("nobody", client=client)
assert isinstance(missing, Error)
print(
    json.dumps(
        {
            "status": status,
            "passed": result.passed,
            "decision": result.criteria_results[0].decision,
            "error": missing.to_dict(),
        }
    )
)
