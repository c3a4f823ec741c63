/** A file with one plan that has so many questions a month. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function plansFile(questions: number): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'plans-')), 'plans.json')
  writeFileSync(file, JSON.stringify({ plans: [{ id: 'small', name: 'Small', limits: { ai_questions: questions } }] }))
  return file
}
