/**
 * `npm run anomalies`: prints the tables of docs/alerts.md, for windows of an hour that are evaluated every 12 minutes. The same
 * seed gives the same figures.
 */
import { type BySensitivity, detected, falseAlarms, sensitivities } from './anomalies/simulate.ts'
import { kinds } from './anomalies/traffic.ts'

const LEVELS = [5, 20, 100, 1000]
const FACTORS: readonly (readonly [name: string, factor: number])[] = [
  ['silence', 0],
  ['half', 0.5],
  ['80 %', 0.8],
  ['1.5 times', 1.5],
  ['twice', 2],
  ['4 times', 4],
]
const SEED = 20_261_120

const print = (...lines: string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const cells = (figures: BySensitivity, show: (figure: number) => string): string[] => sensitivities.map(name => show(figures[name]))

print('False alarms a week:', '')
print(row('traffic', 'a window', ...sensitivities), row('---', '---:', '---:', '---:', '---:'))
for (const kind of kinds) {
  for (const level of LEVELS) {
    const alarms = falseAlarms(kind, level, { weeks: 200, seed: SEED })
    print(row(kind.name, level, ...cells(alarms, figure => figure.toFixed(2))))
  }
}

print('', 'Changes of three hours that are found, in percent (high / medium / low):', '')
print(row('traffic', 'a window', ...FACTORS.map(([name]) => name)), row('---', '---:', ...FACTORS.map(() => '---:')))
for (const kind of kinds.slice(0, 2)) {
  for (const level of LEVELS) {
    const found = FACTORS.map(([, factor]) => detected({ kind, level, factor, trials: 300, seed: SEED }))
    const percents = found.map(figures => cells(figures, figure => (100 * figure).toFixed(0)).join(' / '))
    print(row(kind.name, level, ...percents))
  }
}
