import { bytesOf, mediaFile } from './media'

const u32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
const seven = (value: number) =>
  Uint8Array.of((value >>> 21) & 0x7f, (value >>> 14) & 0x7f, (value >>> 7) & 0x7f, value & 0x7f)

function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part))))
}

function box(type: string, ...content: readonly (Uint8Array | string)[]): Uint8Array {
  const inside = joined(...content)
  return joined(u32(inside.length + 8), type, inside)
}

/** Files of test/data/media with a picture put in for their cover. */
export const withCover = {
  id3(version: 3 | 4, picture: Uint8Array, { encoding = 0, description = 'front\0' } = {}): Uint8Array {
    const content = joined(Uint8Array.of(encoding), 'image/jpeg\0', Uint8Array.of(3), description, picture)
    const size = version === 4 ? seven(content.length) : u32(content.length)
    const title = joined('TIT2', version === 4 ? seven(5) : u32(5), '\0\0', '\0Wren')
    const frame = joined('APIC', size, '\0\0', content)
    const head = joined('ID3', Uint8Array.of(version, 0, 0), seven(title.length + frame.length))
    return joined(head, title, frame, mediaFile('constant.mp3'))
  },

  flac(picture: Uint8Array): Uint8Array {
    const whole = mediaFile('sound.flac')
    const form = [0, 0, 24, 0].map(u32)
    const block = joined(u32(3), u32(10), 'image/jpeg', u32(0), ...form, u32(picture.length), picture)
    const head = u32(block.length).with(0, 6)
    // Behind the first block, which has 34 bytes and always comes first.
    const end = 4 + 4 + 34
    return joined(whole.slice(0, end).with(4, 0), head, block, whole.slice(end))
  },

  /** The tags stand behind the sound: nothing before them moves. */
  mp4(picture: Uint8Array): Uint8Array {
    const whole = mediaFile('sound.m4a')
    const data = box('data', u32(13), u32(0), picture)
    const meta = box('meta', u32(0), box('hdlr', '\0'.repeat(25)), box('ilst', box('covr', data)))
    const tags = box('udta', meta)
    return withinMovie(whole, tags)
  },
}

/** Puts a box at the end of `moov`, which has to be the last one of the file, in place of its tags. */
function withinMovie(file: Uint8Array, inside: Uint8Array): Uint8Array {
  const whole = bytesOf(Buffer.from(file).toString('latin1').replace('udta', 'free'))
  const at = Buffer.from(whole).lastIndexOf('moov') - 4
  const size = new DataView(whole.buffer, whole.byteOffset).getUint32(at)
  if (at + size !== whole.length) throw new Error('moov is not the last box')
  return joined(whole.slice(0, at), u32(size + inside.length), whole.slice(at + 4), inside)
}
