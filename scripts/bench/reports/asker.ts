/**
 * Asks for the report at ADDRESS over and over, from when it is told `true` until it is told `false`; then it answers
 * how often. It has the lowest priority: it would be on another machine, and takes no more than the service leaves.
 */
import http from 'node:http'
import os from 'node:os'

os.setPriority(os.constants.priority.PRIORITY_LOW)
const { ADDRESS = '', TOKEN = '' } = process.env
let asking = false

function ask(agent: http.Agent): Promise<void> {
  return new Promise((answered, failed) => {
    http.get(ADDRESS, { agent, headers: { Authorization: `Bearer ${TOKEN}` } }, response => {
      if (response.statusCode !== 200) failed(new Error(`the report was answered ${response.statusCode}`))
      response.resume().once('end', answered)
    }).once('error', failed)
  })
}

process.on('message', async (told: boolean) => {
  asking = told
  if (!told) return
  const agent = new http.Agent({ keepAlive: true })
  let count = 0
  for (; asking; count++) await ask(agent)
  agent.destroy()
  process.send?.(count)
})
