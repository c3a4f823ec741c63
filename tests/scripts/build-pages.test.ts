/** The build opens a page, so that wrong views of areas fail it before anything is served. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { build, type Plugin, stop } from 'esbuild'
import { makeCodeCaches, PagesFault } from '../../scripts/build/code-cache.ts'
import { root, service } from '../../scripts/build/options.ts'

// In the checkout, because the service finds its files and packages from where it lies.
fs.mkdirSync(path.join(root, 'dist/tests'), { recursive: true })
const folder = fs.mkdtempSync(path.join(root, 'dist/tests/pages-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
after(stop)

/** Declares a second view of goals, in the area of alerts. */
const secondView: Plugin = {
  name: 'second view',
  setup: ({ onLoad }) =>
    onLoad({ filter: /operations\/watch\/alerts\/pages\.tsx$/ }, ({ path }) => ({
      contents: `${fs.readFileSync(path, 'utf8')}\nexport const second = view(Goal, ({ data }) => <p>{data.name}</p>)`,
      loader: 'tsx',
    })),
}

test('Two areas with a view of the same record fail the build, and the message names both', async () => {
  await build({ ...service, outdir: folder, sourcemap: false, plugins: [secondView, ...service.plugins] })
  const isNamed = (thrown: unknown) =>
    thrown instanceof PagesFault &&
    /status 500.*view of Goal: has two: goal of the area Goals and second of the area Alerts/s.test(thrown.message)
  await assert.rejects(makeCodeCaches(path.join(folder, 'commands.cjs'), path.join(folder, 'none.cjs')), isNamed)
})
