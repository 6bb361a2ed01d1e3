/**
 * A hue for the picture of an event. The same name always gets the same hue, and different names mostly get different
 * hues.
 */
const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619) >>> 0, 2_166_136_261) %
  360;

export const pictureOf = (name: string): string => {
  const hue = hueOf(name);
  const beam = (x: number, to: number, shade: number) =>
    `<path d="M${x} 0 L${to - 70} 360 L${to + 70} 360 Z" fill="hsl(${hue + shade} 95% 75%)" opacity=".22"/>`;
  const heads = Array.from({ length: 23 }, (_, at) => {
    const [x, y] = [at * 29, 338 + ((at * 7 + hue) % 5) * 5];
    return `<circle cx="${x}" cy="${y}" r="17"/><rect x="${x - 20}" y="${y + 14}" width="40" height="60" rx="16"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" width="640" height="360">
<defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="hsl(${hue} 60% 14%)"/><stop offset=".6" stop-color="hsl(${hue + 40} 62% 34%)"/>
<stop offset="1" stop-color="hsl(${hue + 75} 75% 55%)"/></linearGradient></defs>
<rect width="640" height="360" fill="url(#sky)"/>
${beam(90, 210, 40)}${beam(230, 420, 80)}${beam(400, 240, 0)}${beam(560, 450, 60)}
<ellipse cx="320" cy="300" rx="250" ry="34" fill="hsl(${hue + 50} 90% 80%)" opacity=".35"/>
<g fill="hsl(${hue} 55% 8%)"><rect y="346" width="640" height="14"/>${heads.join('')}</g>
</svg>`;
};
