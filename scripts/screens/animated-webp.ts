/** Puts WebP pictures of one size into an animated WebP (https://developers.google.com/speed/webp/docs/riff_container). */

interface Animation {
  readonly width: number
  readonly height: number
  /** How long each picture is shown, ms. */
  readonly shownMs: number
}

export function animated(frames: readonly Buffer[], { width, height, shownMs }: Animation): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x02 // has an animation
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  const forever = Buffer.alloc(6) // background 0, no limit of repetitions
  const parts = frames.map(frame => {
    const place = Buffer.alloc(16)
    place.writeUIntLE(width - 1, 6, 3)
    place.writeUIntLE(height - 1, 9, 3)
    place.writeUIntLE(shownMs, 12, 3)
    place[15] = 0x02 // replaces the picture before
    return chunk('ANMF', Buffer.concat([place, pictureOf(frame)]))
  })
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', head), chunk('ANIM', forever), ...parts])
  return chunk('RIFF', body)
}

/** The chunks of a WebP that hold its picture. */
function pictureOf(webp: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= webp.length; ) {
    const size = webp.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (['VP8 ', 'VP8L', 'ALPH'].includes(webp.toString('latin1', at, at + 4))) kept.push(webp.subarray(at, end))
    at = end
  }
  if (kept.length === 0) throw new Error('this is not a WebP picture')
  return Buffer.concat(kept)
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
