export function partOf(text: string, name: string): string
export function withPart(text: string, name: string, part: string): string
export function writePart(file: string, name: string, part: string): void
