/** Images as merchants upload them. */
import { PNG } from "pngjs";

/** A PNG of one colour. */
export function pngOf(width, height, [red, green, blue] = [122, 31, 162]) {
  const png = new PNG({ width, height });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, green, blue, 255], at);
  return PNG.sync.write(png, { deflateLevel: 9 });
}
