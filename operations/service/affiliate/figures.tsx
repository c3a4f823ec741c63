/** Large figures, each below its name. */
interface FiguresProps {
  readonly label?: string
  readonly figures: readonly (readonly [name: string, figure: string])[]
}

export const Figures = ({ label, figures }: FiguresProps) => (
  <ul class="headline" aria-label={label}>
    {figures.map(([name, figure]) => (
      <li>
        <span class="still">
          <span class="name">{name}</span>
          <span class="figure">{figure}</span>
        </span>
      </li>
    ))}
  </ul>
)
