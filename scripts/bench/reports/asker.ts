/**
 * Requests the report at ADDRESS in a loop between the messages `true` and `false`, then answers how often. It has the
 * lowest priority, because it simulates another machine and must not take time from the service.
 */
import http from 'node:http'
import os from 'node:os'

os.setPriority(os.constants.priority.PRIORITY_LOW)
const { ADDRESS = '', TOKEN = '' } = process.env
let asking = false

function ask(agent: http.Agent): Promise<void> {
  return new Promise((answered, failed) => {
    http
      .get(ADDRESS, { agent, headers: { Authorization: `Bearer ${TOKEN}` } }, response => {
        if (response.statusCode !== 200) failed(new Error(`the report was answered ${response.statusCode}`))
        response.resume().once('end', answered)
      })
      .once('error', failed)
  })
}

process.on('message', async (isOn: boolean) => {
  asking = isOn
  if (!isOn) return
  const agent = new http.Agent({ keepAlive: true })
  let count = 0
  for (; asking; count++) await ask(agent)
  agent.destroy()
  process.send?.(count)
})
