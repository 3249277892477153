export const sheets: readonly ('client.css' | 'style.css')[]
export function bundleStyle(name: string): Promise<string>
