/** The table of `npm test -- --times`. */
import fs from 'node:fs'
import path from 'node:path'
import type { CpuSeconds, Part } from '../../tests/support/times.ts'

/** Most rows of a table. */
const ROWS = 40

/**
 * @param folder with a file of each test process
 * @param all where to keep all parts, for further questions
 */
export function timesTable(folder: string, all: string): string {
  const processes = fs.readdirSync(folder).map(name => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Part[])
  const parts = processes.flat()
  fs.writeFileSync(all, JSON.stringify(parts))
  const starts = parts.filter(({ file }) => file === '')
  const table = (title: string, of: readonly Part[], key: (part: Part) => string): string[] => {
    const sums = new Map<string, { own: number; children: number }>()
    for (const part of of) {
      const sum = sums.get(key(part)) ?? { own: 0, children: 0 }
      sums.set(key(part), { own: sum.own + part.own, children: sum.children + part.children })
    }
    const rows = [...sums].sort(([, a], [, b]) => b.own + b.children - a.own - a.children).slice(0, ROWS)
    return [title, ...rows.map(([name, { own, children }]) => `${seconds(own + children)} ${seconds(children)}  ${name.slice(0, 150)}`), '']
  }
  const tests = parts.filter(({ file }) => file !== '')
  return [
    `CPU seconds with those of children, and of these the children (all of them are in ${all}):`,
    ...table('Folders', tests, ({ file, engine }) => `${file.split('/').slice(0, 2).join('/')} ${engine}`),
    ...table('Files', tests, ({ file, engine }) => `${file} ${engine}`),
    ...table('Tests', tests, ({ file, engine, test }) => `${file} ${engine} › ${test || '(hooks)'}`),
    `${seconds(sumOf(starts))}  ${processes.length} starts of a test process`,
    `${seconds(sumOf(parts))}  test processes and their children\n`,
  ].join('\n')
}

/** @param tests before Postgres was stopped, and @param end afterwards: the CPU seconds of a process count for its parent when it ends */
export function timesOfRun(tests: CpuSeconds, end: CpuSeconds): string {
  return `${seconds(end.children - tests.children)}  Postgres\n${seconds(end.own + end.children)}  the whole run\n`
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { own, children }) => sum + own + children, 0)
const seconds = (value: number): string => value.toFixed(1).padStart(7)
