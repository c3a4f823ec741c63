/** Shows progress: a bar on a terminal, otherwise a line every few seconds. */
export interface Progress {
  /** @param share of the whole, 0 to 1 @param text shown next to it */
  show(share: number, text: string): void
  /** Shows the last state. */
  end(): void
}

const WIDTH = 24
const TERMINAL_INTERVAL_MS = 100
const FILE_INTERVAL_MS = 5_000

/** @param out defaults to standard error, so that results can be redirected */
export function openProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  const began = Date.now()
  let shownAt = out.isTTY ? 0 : began
  let pendingLine = ''

  function write(): void {
    out.write(out.isTTY ? `\r\x1b[2K${pendingLine}` : `${pendingLine}\n`)
    pendingLine = ''
    shownAt = Date.now()
  }

  return {
    show(share, text) {
      const done = Math.min(1, Math.max(0, share))
      const seconds = (Date.now() - began) / 1000
      const left = done > 0.01 && done < 1 ? ` · ${duration((seconds / done) * (1 - done))} left` : ''
      const bar = `${'█'.repeat(Math.round(done * WIDTH))}${'░'.repeat(WIDTH - Math.round(done * WIDTH))}`
      pendingLine = `${out.isTTY ? `${bar} ` : ''}${String(Math.floor(done * 100)).padStart(3)} % · ${text}${left}`
      if (Date.now() - shownAt >= (out.isTTY ? TERMINAL_INTERVAL_MS : FILE_INTERVAL_MS)) write()
    },
    end() {
      if (pendingLine !== '') write()
      if (out.isTTY) out.write('\n')
    },
  }
}

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`
}
