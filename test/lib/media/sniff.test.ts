import { describe, expect, it } from 'vitest'
import { sniffMedia, supportedMimeTypes } from '../../../src/lib/media/sniff'
import { bytesOf, mediaFile, mediaFileNames } from '../../support/media'

const accepted: ReadonlyArray<readonly [string, string, string]> = [
  ['upright.jpg', 'image/jpeg', 'image'],
  ['turned.jpg', 'image/jpeg', 'image'],
  ['rgb.png', 'image/png', 'image'],
  ['still.gif', 'image/gif', 'image'],
  ['animated.gif', 'image/gif', 'gifv-candidate'],
  ['lossy.webp', 'image/webp', 'image'],
  ['lossless.webp', 'image/webp', 'image'],
  ['animated.webp', 'image/webp', 'gifv-candidate'],
  ['photo.avif', 'image/avif', 'image'],
  ['photo.heic', 'image/heic', 'image'],
  ['sound.mp4', 'video/mp4', 'video'],
  ['silent.mp4', 'video/mp4', 'video'],
  ['fragmented.mp4', 'video/mp4', 'video'],
  ['sound-only.mp4', 'audio/mp4', 'audio'],
  ['sound.m4a', 'audio/mp4', 'audio'],
  ['turned.mov', 'video/quicktime', 'video'],
  ['sound.3gp', 'audio/3gpp', 'audio'],
  ['sound.webm', 'video/webm', 'video'],
  ['voice.webm', 'audio/webm', 'audio'],
  ['film.ogv', 'video/ogg', 'video'],
  ['vorbis.ogg', 'audio/ogg', 'audio'],
  ['opus.ogg', 'audio/ogg', 'audio'],
  ['flac.ogg', 'audio/ogg', 'audio'],
  ['constant.mp3', 'audio/mpeg', 'audio'],
  ['variable.mp3', 'audio/mpeg', 'audio'],
  ['sound.aac', 'audio/aac', 'audio'],
  ['sound.wav', 'audio/wav', 'audio'],
  ['sound.flac', 'audio/flac', 'audio'],
  ['sound.wma', 'video/x-ms-asf', 'audio'],
]

const id3 = (after: string) => bytesOf(`ID3\x03\0\0\0\0\0\x0a${'\0'.repeat(10)}${after}`)

const refused: ReadonlyArray<readonly [string, Uint8Array]> = [
  ['nothing', new Uint8Array(0)],
  ['plain text', bytesOf('Twenty fieldfares in the orchard this morning.')],
  ['HTML', bytesOf('<!doctype html><script>alert(1)</script>')],
  ['SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['SVG behind an XML line', bytesOf('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a shell script', bytesOf('#!/bin/sh\nexit 0\n')],
  ['a Windows program', bytesOf(`MZ\x90\0${'\0'.repeat(60)}PE\0\0`)],
  ['a Linux program', bytesOf('\x7fELF\x02\x01\x01\0')],
  ['WebAssembly', bytesOf('\0asm\x01\0\0\0')],
  ['a PDF', bytesOf('%PDF-1.7\n')],
  ['a ZIP', bytesOf('PK\x03\x04\x14\0\0\0\x08\0')],
  ['text in UTF-16', bytesOf('\xff\xfe<\0h\0t\0m\0l\0>\0')],
  ['HTML behind an ID3 tag', id3('<script>alert(1)</script>')],
  ['a lone MP3 sync word before HTML', bytesOf('\xff\xfb\x90\x64<script>alert(1)</script>')],
  ['a PNG signature and nothing else', bytesOf('\x89PNG\r\n\x1a\n<html>')],
  ['a RIFF file of another kind', bytesOf('RIFF\x24\0\0\0AVI LIST')],
  ['an Ogg page of an unknown codec', bytesOf(`OggS\0\x02${'\0'.repeat(20)}\x01\x08<script>`)],
  ['a script that starts like a QuickTime atom', bytesOf('var free = 1; alert(free)')],
  ['an unknown ISO brand', bytesOf('\0\0\0\x14ftypcrx \0\0\0\x01crx ')],
  ['Matroska, whose codecs browsers lack', mediaFile('film.mkv')],
  ['3GP with pictures', mediaFile('film.3gp')],
  ['ASF with pictures', mediaFile('film.wmv')],
]

describe('sniffMedia', () => {
  it.each(accepted)('takes %s for %s, %s', (name, mime, kind) => {
    expect(sniffMedia(mediaFile(name))).toEqual({ mime, kind })
  })

  it.each(refused)('sniffMedia refuses %s', (_, bytes) => {
    expect(sniffMedia(bytes)).toBeNull()
  })

  it('only ever answers a type the instance advertises [T-662]', () => {
    const advertised: readonly string[] = supportedMimeTypes
    const answered = mediaFileNames().flatMap((name) => sniffMedia(mediaFile(name))?.mime ?? [])

    expect(answered.length).toBeGreaterThan(30)
    expect(answered.filter((mime) => !advertised.includes(mime))).toEqual([])
  })

  it('identifies a polyglot by its first bytes, so that it is served as a picture', () => {
    const gif = bytesOf('GIF89a/*\0\0\0\0*/=1;alert(1)//<script>alert(1)</script>')

    expect(sniffMedia(gif)).toEqual({ mime: 'image/gif', kind: 'image' })
  })

  it('still recognises an MP4 whose track list is cut off', () => {
    expect(sniffMedia(mediaFile('silent.mp4').subarray(0, 200))).toEqual({ mime: 'video/mp4', kind: 'video' })
  })

  it('recognises a QuickTime file from before brands by its tracks', () => {
    const movie = mediaFile('turned.mov')
    const withoutBrands = movie.subarray(new DataView(movie.buffer).getUint32(0))

    expect(sniffMedia(withoutBrands)).toEqual({ mime: 'video/quicktime', kind: 'video' })
  })
})
