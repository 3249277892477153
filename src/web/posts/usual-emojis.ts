import type { TextKey } from '../../lib/translate'

/** Emojis that people react with most, by kind. Any other can be typed. */
export const usualEmojis: readonly { readonly title: TextKey; readonly emojis: readonly string[] }[] = [
  {
    title: 'client.emojis.faces',
    emojis: listed(
      '😀 😂 🤣 🙂 😉 😊 😍 🥰 😘 😎 🤓 🤔 🤨 😐 🙄 😬 😴 🤯 😳 🥺 😢 😭 😤 😡 😱 🥶 🤢 🤗 🫠 🫡 🫣 🙈',
    ),
  },
  {
    title: 'client.emojis.heartsAndHands',
    emojis: listed('❤️ 🧡 💛 💚 💙 💜 🖤 🤍 💔 💯 👍 👎 👏 🙌 👀 🙏 💪 🤝 👋 🤞 🫶 🤷 🤦 🫂'),
  },
  {
    title: 'client.emojis.nature',
    emojis: listed('🐦 🦉 🦆 🐱 🐶 🦊 🐻 🐝 🦋 🐌 🐢 🐙 🌱 🌻 🍄 🌳 🌈 ☀️ 🌙 ⭐ ❄️ 🌊 🔥 ✨'),
  },
  {
    title: 'client.emojis.things',
    emojis: listed(
      '🎉 🎂 🎁 🏆 🎵 🎸 📚 🎨 📷 🚲 🚆 🚀 🏠 ⛺ ⚽ 🎮 ☕ 🍰 🍕 🍎 🧀 🍵 🍺 💡 ✅ ❌ ❓ ❗ ⏰ 🔒 🏳️‍🌈 🏳️‍⚧️',
    ),
  },
]

function listed(emojis: string): readonly string[] {
  return emojis.split(' ')
}
