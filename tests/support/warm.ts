/** The usual beginning of a test process. The build runs it once, to keep the code that V8 compiles for it. */
import { sqlite } from './engines.ts'
import { callTool } from './mcp.ts'
import { makeWorld, request, startService } from './world.ts'

void run()

async function run(): Promise<void> {
  const service = await startService(sqlite)
  const { ids, token } = await makeWorld(service)
  await request(service, 'GET', `/workspaces/${ids.workspace}/sites.json`, { token })
  await callTool(service, 'sites_list', { workspace_id: ids.workspace }, token)
  await service.close()
}
