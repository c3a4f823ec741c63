/**
 * `npm run mutants`: breaks the sources at one place after another and reports which test notices. After `npm test -- --reach` it runs
 * only tests that run the broken file: minutes for a mutant that none notices, a fraction of one for the others.
 *   npm run mutants -- --count 60 --seed 1       which mutants: the same seed and code give the same ones
 *   npm run mutants -- --list                    only lists them
 *   npm run mutants -- --tree ../old             of another checkout, which has its node_modules and dist/
 *   npm run mutants -- --resume mutants.log      where the outcomes are kept, one a line; those that are there are not run again
 *   npm run mutants -- --like old.log            the mutants of that file, where the code still is there
 */
import fs from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { type Checkout, copyCheckout, type Outcome } from './mutants/checkout.ts'
import { allMutants, chooseMutants, type Mutant } from './mutants/choose.ts'
import { readReach } from './mutants/reach.ts'
import { stagesOf } from './mutants/stages.ts'

interface Result {
  readonly key: string
  readonly at: string
  readonly mutation: string
  readonly caught: string
  readonly seconds: number
}

const { count, seed, tree, resume, like, list, minutes } = new Command('mutants')
  .option('--count <number>', 'how many', '60')
  .option('--seed <text>', 'which ones', '1')
  .option('--tree <folder>', 'the checkout', '.')
  .option('--resume <file>', 'file of the outcomes', 'mutants.log')
  .option('--like <file>', 'take the mutants of this file of outcomes')
  .option('--list', 'run nothing')
  .option('--minutes <number>', 'most minutes for one mutant', '20')
  .parse()
  .opts<{ count: string; seed: string; tree: string; resume: string; like?: string; list?: true; minutes: string }>()

const resultsIn = (file: string): Result[] =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as Result)
    : []

const all = allMutants(tree)
const reach = readReach(tree)
const chosen = like === undefined ? chooseMutants(all, seed, Number(count)) : again(resultsIn(like))

if (list) for (const mutant of chosen) process.stdout.write(`${titleOf(mutant)}\n`)
else await run()

/** Finds the mutants of another run in this tree, and prints those that are gone. */
function again(results: readonly Result[]): Mutant[] {
  const byKey = new Map(all.map(mutant => [mutant.key, mutant]))
  return results.flatMap(({ key, at }) => {
    const found = byKey.get(key)
    if (!found) process.stdout.write(`${at}: this code is gone: ${key}\n`)
    return found ?? []
  })
}

async function run(): Promise<void> {
  const done = new Set(resultsIn(resume).map(({ key }) => key))
  const checkout = copyCheckout(tree)
  process.once('exit', checkout.remove)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const isSound = soundness(checkout)
  for (const mutant of chosen.filter(({ key }) => !done.has(key))) {
    const began = Date.now()
    const caught = await fate({ checkout, mutant, ends: began + Number(minutes) * 60_000, isSound })
    const seconds = Math.round((Date.now() - began) / 1_000)
    const result: Result = { key: mutant.key, at: `${mutant.file}:${mutant.line}`, mutation: mutant.kind, caught, seconds }
    fs.appendFileSync(resume, `${JSON.stringify(result)}\n`)
    process.stdout.write(`${titleOf(mutant)}\n    ${caught} (${seconds} s)\n`)
  }
  const keys = new Set(chosen.map(({ key }) => key))
  const results = resultsIn(resume).filter(({ key }) => keys.has(key))
  const survived = results.filter(({ caught }) => caught === 'survived')
  const undecided = results.filter(({ caught }) => caught.startsWith('undecided'))
  process.stdout.write(`${results.length} mutants, ${survived.length} survived, ${undecided.length} undecided\n`)
  for (const { at, mutation, key } of [...survived, ...undecided]) process.stdout.write(`${at}  ${mutation}  ${key}\n`)
}

function titleOf({ file, line, kind, code }: Mutant): string {
  return `${file}:${line}  ${kind}  ${code}`
}

interface Fate {
  readonly checkout: Checkout
  readonly mutant: Mutant
  readonly ends: number
  readonly isSound: (file: string) => Promise<boolean>
}

/** Puts the mutant into the copy, and runs stage after stage. @returns which test caught it, or that it survived */
async function fate({ checkout, mutant, ends, isSound }: Fate): Promise<string> {
  const file = path.join(checkout.folder, mutant.file)
  const text = fs.readFileSync(file, 'utf8')
  const broken = text.slice(0, mutant.from) + mutant.text + text.slice(mutant.to)
  try {
    for (const stage of stagesOf(checkout.folder, mutant.file, reach)) {
      let left = stage
      while (left.length > 0) {
        fs.writeFileSync(file, broken)
        const outcome: Outcome = await checkout.test(left, Math.max(1, ends - Date.now()))
        fs.writeFileSync(file, text)
        if (outcome === 'passed') break
        if (outcome === 'out of time') return 'undecided when the time was over'
        if (outcome.file === '' || (await isSound(outcome.file))) return `caught by ${outcome.file} › ${outcome.test}`
        left = left.filter(name => name !== outcome.file) // fails without the mutant, too
      }
    }
    return 'survived'
  } finally {
    fs.writeFileSync(file, text)
  }
}

/** Whether a test file passes without a mutant; each is run once. */
function soundness(checkout: Checkout): (file: string) => Promise<boolean> {
  const known = new Map<string, Promise<Outcome>>()
  return async file => {
    const outcome = known.get(file) ?? checkout.test([file], 10 * 60_000)
    known.set(file, outcome)
    return (await outcome) === 'passed'
  }
}
