/** Shows progress: a bar on a terminal, a line every few seconds where output goes to a file. */
export interface Progress {
  /** @param share of the whole, 0 to 1 @param text shown next to it */
  show(share: number, text: string): void
  /** Shows the last state. */
  end(): void
}

const WIDTH = 24
const ON_TERMINAL_MS = 100
const IN_FILE_MS = 5_000

/** @param out by default standard error, so that results can be redirected */
export function openProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  const began = Date.now()
  let shown = out.isTTY ? 0 : began
  let waiting = ''

  function write(): void {
    out.write(out.isTTY ? `\r\x1b[2K${waiting}` : `${waiting}\n`)
    waiting = ''
    shown = Date.now()
  }

  return {
    show(share, text) {
      const done = Math.min(1, Math.max(0, share))
      const seconds = (Date.now() - began) / 1000
      const left = done > 0.01 && done < 1 ? ` · ${clock((seconds / done) * (1 - done))} left` : ''
      const bar = `${'█'.repeat(Math.round(done * WIDTH))}${'░'.repeat(WIDTH - Math.round(done * WIDTH))}`
      waiting = `${out.isTTY ? `${bar} ` : ''}${String(Math.floor(done * 100)).padStart(3)} % · ${text}${left}`
      if (Date.now() - shown >= (out.isTTY ? ON_TERMINAL_MS : IN_FILE_MS)) write()
    },
    end() {
      if (waiting !== '') write()
      if (out.isTTY) out.write('\n')
    },
  }
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`
}
