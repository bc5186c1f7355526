//go:build !amd64 || purego

package vec

func dot(x, y []float64) float64                      { return dotPortable(x, y) }
func dots(dst, x, w []float64)                        { dotsPortable(dst, x, w) }
func addScaled(dst []float64, a float64, x []float64) { addScaledPortable(dst, a, x) }
func dot32(x, y []float32) float32                    { return dot32Portable(x, y) }
func addScaled32(dst []float32, a float32, x []float32) {
	addScaled32Portable(dst, a, x)
}
func product(dst, x, w []float64, rows, width int) { productPortable(dst, x, w, rows, width) }
