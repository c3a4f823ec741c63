/**
 * `npm run user-agents -- FOLDER`: measures how user agents are classified, over a folder of fixtures in the form of matomo's
 * device-detector (`Tests/fixtures/*.yml`). docs/collecting.md has the figures.
 */
import { readFixtures } from './user-agents/fixtures.ts'
import { measure, report } from './user-agents/measure.ts'
import { commandLine } from './command-line.ts'

const program = commandLine('user-agents')
  .argument('<folder>', 'folder of fixtures, for example device-detector/Tests/fixtures')
  .option('--wrong', 'list the user agents that are classified differently')
  .parse()
const [folder = ''] = program.args
const { wrong } = program.opts<{ wrong?: boolean }>()
console.log(report(measure(await readFixtures(folder)), wrong === true))
