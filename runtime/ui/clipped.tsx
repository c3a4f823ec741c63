/** A text that is cut in its middle where there is too little room: the end of a path says more than its middle. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const TAIL = 9
const SHORT = 14

export function Clipped({ text }: { text: string }) {
  const letters = [...text]
  if (letters.length <= SHORT) return <span class="clipped">{text}</span>
  // Two parts of a text from right to left would change places.
  if (rightToLeft.test(text))
    return (
      <span class="clipped" title={text}>
        <span>{text}</span>
      </span>
    )
  return (
    <span class="clipped" title={text}>
      <span>{letters.slice(0, -TAIL).join('')}</span>
      <span>{letters.slice(-TAIL).join('')}</span>
    </span>
  )
}
