/** Availability by the day as a strip: each day up, partly down or down most of it. */
export interface StripDay {
  readonly label: string
  /** Share of the day that was down, 0 to 1; null if it is unknown. */
  readonly down: number | null
  readonly says: string
}

export function Strip({ label, days }: { label: string; days: readonly StripDay[] }) {
  const width = 100 / Math.max(1, days.length)
  const kind = ({ down }: StripDay): string =>
    down === null ? 'is-unknown' : down === 0 ? 'is-good' : down < 0.05 ? 'is-middling' : 'is-poor'
  return (
    <figure class="chart">
      <svg class="strip" role="img" aria-label={label}>
        {days.map((day, i) => (
          <rect
            class={kind(day)}
            x={`${Math.round(i * width * 100) / 100}%`}
            width={`${Math.round(width * 78) / 100}%`}
            height="100%"
            rx="3"
          >
            <title>{`${day.label}: ${day.says}`}</title>
          </rect>
        ))}
      </svg>
      <p class="ends-of">
        <span>{days[0]?.label}</span>
        <span>{days.at(-1)?.label}</span>
      </p>
    </figure>
  )
}
