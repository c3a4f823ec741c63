/** `npm run bench -- clicks`: how many clicks the tasks of `tasks.ts` take on a demo, with and without scripts, and with the keyboard. */
import { launchChromium } from '../../tests/support/chromium.ts'
import { startDemo } from './demo.ts'
import { clicksOf, newSite, tasks } from './tasks.ts'

const demo = await startDemo()
const browser = await launchChromium()
const workspace = `/workspaces/${demo.workspace_id}`
const world = { site: `/sites/${demo.site_id}`, workspace, newSite: () => newSite(demo.base, workspace, demo.token) }
try {
  const first = await browser.newContext()
  const page = await first.newPage()
  await demo.signIn(page)
  const storageState = await first.storageState()
  const ways = { pointer: [true, false], keyboard: [true, true], 'no scripts': [false, false] } as const
  const rows = []
  for (const task of tasks) {
    const row: Record<string, string | number> = { task: task.name, most: task.max }
    for (const [way, [hasScripts, isByKeyboard]] of Object.entries(ways)) {
      const context = await browser.newContext({ storageState, javaScriptEnabled: hasScripts, viewport: { width: 1280, height: 800 } })
      row[way] = await clicksOf(task, world, { page: await context.newPage(), base: demo.base, hasScripts, isByKeyboard })
      await context.close()
    }
    rows.push(row)
  }
  console.table(rows)
} finally {
  await browser.close()
  await demo.stop()
}
