import { describe, expect, it } from 'vitest'
import { guessLanguage } from '../../src/islands/lib/language-guess'

describe('the language of a text that is being typed', () => {
  it.each([
    ['今日は川でカワセミを見ました', 'en', 'ja'],
    ['오늘 강에서 물총새를 봤어요', 'en', 'ko'],
    ['今天在河边看见一只翠鸟', 'en', 'zh'],
    ['今天在河邊看見一隻翠鳥', 'zh-TW', 'zh-TW'],
    ['Сегодня на реке был зимородок', 'en', 'ru'],
    ['Сьогодні на річці був рибалочка', 'uk', 'uk'],
    ['رأيت اليوم صياد السمك عند النهر', 'en', 'ar'],
    ['امروز کنار رود یک ماهی‌خورک دیدم', 'fa', 'fa'],
    ['Σήμερα είδα μια αλκυόνα στο ποτάμι', 'en', 'el'],
  ])('%s of somebody who usually writes %s is guessed as %s', (text, usual, language) => {
    expect(guessLanguage(text, usual)).toBe(language)
  })

  it.each([
    ['A kingfisher at the river', 'many languages are written in its script'],
    ['Ура!', 'it is too short'],
    ['A kingfisher, зимородок, at the river today', 'another script has more of it'],
    ['https://example.com/зимородок-на-реке @зимородок', 'addresses are no words'],
  ])('%s is not guessed: %s', (text) => {
    expect(guessLanguage(text, 'en')).toBeNull()
  })
})
