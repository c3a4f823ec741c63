/** Parses Prometheus' text format as strictly as a scraper (prometheus.io/docs/instrumenting/exposition_formats). */
import assert from 'node:assert/strict'

export interface Family {
  help: string
  type: string
  samples: Array<{ name: string; labels: Record<string, string>; value: number }>
}

/** Numbers in the form of Go's ParseFloat: `NaN` and `Inf` in any case. */
const sampleLine = /^([a-zA-Z_:][\w:]*)(\{(.*)\})? (-?[\d.e+-]+|[+-]Inf|NaN)$/i
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/g

export function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let current: Family | undefined
  assert.ok(text.endsWith('\n'), 'the last line ends')
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      assert.ok(!families.has(name), `${name} is told of twice`)
      families.set(name, (current = { help: rest, type: 'untyped', samples: [] }))
    } else if (keyword === 'TYPE') {
      assert.match(rest, /^(counter|gauge|histogram|summary|untyped)$/)
      assert.equal(families.get(name), current, 'TYPE follows HELP')
      assert.ok(current)
      current.type = rest
    } else {
      const [, sample = '', , inside = '', value = ''] = sampleLine.exec(line) ?? assert.fail(`no sample: ${line}`)
      const labels = Object.fromEntries([...inside.matchAll(labelPair)].map(([, label, text]) => [label, text]))
      assert.equal(
        Object.entries(labels)
          .map(([label, text]) => `${label}="${text}"`)
          .join(','),
        inside,
        line,
      )
      const family = families.get(sample) ?? families.get(sample.replace(/_(bucket|sum|count)$/, ''))
      assert.equal(family, current, `${sample} stands under its family`)
      assert.ok(!seen.has(sample + inside), `${line} is there twice`)
      seen.add(sample + inside)
      const number = Number(value.replace(/inf/i, 'Infinity').replace(/nan/i, 'NaN'))
      current?.samples.push({ name: sample, labels, value: number })
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') assertHistogram(name, family)
  return families
}

/** Buckets are cumulative up to `+Inf`, which equals the count. */
function assertHistogram(name: string, { samples }: Family): void {
  const keyOf = ({ le: _, ...labels }: Record<string, string>) => JSON.stringify(labels)
  for (const total of samples.filter(sample => sample.name === `${name}_count`)) {
    const buckets = samples.filter(sample => sample.name === `${name}_bucket` && keyOf(sample.labels) === keyOf(total.labels))
    assert.ok(
      buckets.every((bucket, i) => bucket.value >= (buckets[i - 1]?.value ?? 0)),
      `${name} counts up`,
    )
    assert.deepEqual([buckets.at(-1)?.labels.le, buckets.at(-1)?.value], ['+Inf', total.value])
  }
}

/** The value with exactly these labels. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).sort())
  return [...families.values()]
    .flatMap(family => family.samples)
    .find(sample => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted)?.value
}
