/**
 * `npm run smoke`: runs the product on every supported major version of Node, `npm run smoke -- 24 26` on those. The
 * version that runs this command uses the checkout; the others, from npm's packages of Node, use the package of `npm pack`.
 */
import { installOn, nodeOf, pack, versions } from './smoke/nodes.ts'
import { walk } from './smoke/walk.ts'
import { bringUpToDate } from './up-to-date.mjs'

const asked = process.argv.slice(2)
const unknown = asked.find(major => !(major in versions))
if (unknown !== undefined) throw new Error(`Node ${unknown} is not one of ${Object.keys(versions).join(', ')}`)
const problem = bringUpToDate()
if (problem) throw new Error(problem.message)

const tarball = pack()
const nodes = (asked.length > 0 ? asked : Object.keys(versions)).map(nodeOf)
const installed = nodes.map(node => ({ ...node, service: installOn(node, tarball) }))
await Promise.all(
  installed.map(async ({ version, program, service }) => {
    const seen = await walk(program, service).catch((error: unknown) => {
      throw new Error(`Node ${version} failed`, { cause: error })
    })
    process.stdout.write(`Node ${version}: ${seen}\n`)
  }),
)
