/** Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats). */

export interface Sample {
  /** Suffix of the family's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export function expositionOf(families: readonly Family[]): string {
  return families
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escaped(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelled(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('\n')
}

function labelled(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(`${value}`).replaceAll('"', '\\"')}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
