import { describe, expect, it } from 'vitest'
import { Toggle } from '../../src/islands/lib/toggle'

/** A toggle with what it showed and saved; each save waits for `answer`. */
function sample(saved: boolean) {
  const shown: boolean[] = []
  const sent: boolean[] = []
  const answers: ((isSaved: boolean) => void)[] = []
  const toggle = new Toggle(saved, {
    show: (on) => shown.push(on),
    save: (on) => {
      sent.push(on)
      return new Promise((resolve) => answers.push(resolve))
    },
  })
  return { toggle, shown, sent, answer: (isSaved: boolean) => answers.shift()?.(isSaved) }
}

describe('a mark on a post', () => {
  it('shows a press before it is saved', async () => {
    const { toggle, shown, sent, answer } = sample(false)
    const pressed = toggle.press()
    expect(shown).toEqual([true])
    expect(sent).toEqual([true])
    answer(true)
    expect(await pressed).toBe(true)
    expect(toggle.isOn).toBe(true)
  })

  it('goes back when the press is refused', async () => {
    const { toggle, shown, answer } = sample(true)
    const pressed = toggle.press()
    answer(false)
    expect(await pressed).toBe(false)
    expect(shown).toEqual([false, true])
    expect(toggle.isOn).toBe(true)
  })

  it('saves the last of quick presses alone', async () => {
    const { toggle, shown, sent, answer } = sample(false)
    const pressed = toggle.press()
    await toggle.press()
    await toggle.press()
    expect(shown).toEqual([true, false, true])
    answer(true)
    await pressed
    expect(sent).toEqual([true])
  })

  it('saves the state that was wanted while an earlier one was on its way', async () => {
    const { toggle, sent, answer } = sample(false)
    const pressed = toggle.press()
    await toggle.press()
    answer(true)
    await Promise.resolve()
    await Promise.resolve()
    answer(true)
    await pressed
    expect(sent).toEqual([true, false])
    expect(toggle.isOn).toBe(false)
  })
})
