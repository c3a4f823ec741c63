/**
 * A reporter of `node --test`: the files in which a test failed, a line each.
 * @param {AsyncIterable<{ type: string, data: { file?: string, name: string } }>} events
 */
export default async function* failedFiles(events) {
  const files = new Set()
  for await (const { type, data } of events) if (type === 'test:fail') files.add(data.file ?? data.name)
  for (const file of files) yield `${file}\n`
}
