/** The tables of `npm test -- --times`: CPU seconds, which are about the same on a busy machine. */
import fs from 'node:fs'
import path from 'node:path'
import type { CpuSeconds, Part } from '../../tests/support/times.ts'

/** Most rows of a table. */
const ROWS = 40

/**
 * @param folder with a file of each test process
 * @param all where to keep every part, for further questions
 */
export function timesTable(folder: string, all: string): string {
  const processes = fs.readdirSync(folder).map(name => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Part[])
  const parts = processes.flat()
  fs.writeFileSync(all, JSON.stringify(parts))
  const [starts, tests] = [parts.filter(({ file }) => file === ''), parts.filter(({ file }) => file !== '')]
  return [
    `CPU seconds, including the child processes in the second column, without most of Chromium; every test is in ${all}`,
    ...table('Folders', tests, ({ file, engine }) => `${file.split('/').slice(0, 2).join('/')} ${engine}`),
    ...table('Files', tests, ({ file, engine }) => `${file} ${engine}`),
    ...table('Tests', tests, ({ file, engine, test }) => `${file} ${engine} › ${test || '(hooks)'}`),
    `${seconds(total(starts))}  starts of ${processes.length} test processes`,
    `${seconds(total(parts))}  test processes and their children\n`,
  ].join('\n')
}

/** @param tests before Postgres was stopped. The CPU seconds of a process count for its parent when it ends */
export function timesOfRun(tests: CpuSeconds, end: CpuSeconds): string {
  return `${seconds(end.children - tests.children)}  Postgres\n${seconds(total([end]))}  the whole run\n`
}

function table(title: string, parts: readonly Part[], nameOf: (part: Part) => string): string[] {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const group = groups.get(nameOf(part)) ?? []
    group.push(part)
    groups.set(nameOf(part), group)
  }
  const rows = [...groups]
    .map(([name, group]) => ({ name, sum: total(group), children: group.reduce((sum, { children }) => sum + children, 0) }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, ROWS)
  return [title, ...rows.map(({ name, sum, children }) => `${seconds(sum)} ${seconds(children)}  ${name.slice(0, 150)}`), '']
}

const total = (parts: readonly CpuSeconds[]): number => parts.reduce((sum, { own, children }) => sum + own + children, 0)
const seconds = (value: number): string => value.toFixed(1).padStart(7)
