/** The page of the installation, which operators read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from '../../operations/index.ts'
import { taskNames } from '../../operations/service/installation/task-names.ts'

test('each background task has a name for people on the page of the installation, and no other task has one', () => {
  assert.deepEqual(Object.keys(taskNames).sort(), [...table.tasks.map(({ name }) => name)].sort())
})
