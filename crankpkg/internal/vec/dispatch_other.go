//go:build !amd64 || purego

package vec

func dot(x, y []float64) float64 { return dotPortable(x, y) }

func dots(dst, x, w []float64, stride int) {
	for i := range dst {
		dst[i] = dotPortable(x, w[i*stride:i*stride+len(x)])
	}
}

func someDots(dst, x, w []float64, stride int, which []int32) {
	for _, i := range which {
		dst[i] = dotPortable(x, w[int(i)*stride:int(i)*stride+len(x)])
	}
}

func distance(x, y []float64) float64 { return distancePortable(x, y) }

func addScaled(dst []float64, a float64, x []float64) { addScaledPortable(dst, a, x) }

func dot32(x, y []float32) float32 { return dot32Portable(x, y) }

func addScaled32(dst []float32, a float32, x []float32) { addScaledPortable(dst, a, x) }

func productRow([]float64, []float64, []float64, int) (done int) { return 0 }

func product(dst, x, w []float64, rows, width int) { productPortable(dst, x, w, rows, width) }
