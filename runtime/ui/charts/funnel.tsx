/** Steps below each other, each as long as the share that came so far; the losses are shown between them. */
export interface FunnelStep {
  readonly label: string
  /** Percent of those who entered. */
  readonly share: number
  readonly figure: string
  /** Visits lost before this step; undefined for the first. */
  readonly lost?: string | undefined
}

export function FunnelChart({ label, steps }: { label: string; steps: readonly FunnelStep[] }) {
  return (
    <ol class="funnel" aria-label={label}>
      {steps.map((step, i) => (
        <li>
          {step.lost !== undefined && (
            <p class="lost">
              <span aria-hidden="true">↓</span> {step.lost}
            </p>
          )}
          <p class="step">
            <b>
              {i + 1}. {step.label}
            </b>
            <span>{step.figure}</span>
          </p>
          <svg class="length" aria-hidden="true" focusable="false">
            <rect class="whole" width="100%" height="100%" rx="4" />
            <rect class="part" width={`${Math.min(100, Math.max(0, step.share))}%`} height="100%" rx="4" />
          </svg>
        </li>
      ))}
    </ol>
  )
}
